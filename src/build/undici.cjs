// The parts of undici that shipx uses: all of it takes 30 ms longer to load. The last two load when something names
// them (docs/inside/decisions.md).
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')

// As undici's own index.js does. Proxies need `connect`.
Object.assign(Dispatcher.prototype, {
  connect: require('undici/lib/api/api-connect.js'),
  request: require('undici/lib/api/api-request.js'),
})

module.exports = {
  Agent: require('undici/lib/dispatcher/agent.js'),
  get EnvHttpProxyAgent() {
    return require('undici/lib/dispatcher/env-http-proxy-agent.js')
  },
  get FormData() {
    return require('undici/lib/web/fetch/formdata.js').FormData
  },
}
