// The parts of undici that shipx uses: all of it takes 30 ms longer to load (docs/inside/decisions.md).
import connect from 'undici/lib/api/api-connect.js'
import request from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'
import { FormData } from 'undici/lib/web/fetch/formdata.js'

// As undici's own index.js does. Proxies need `connect`.
Object.assign(Dispatcher.prototype, { connect, request })

export { Agent, EnvHttpProxyAgent, FormData }
