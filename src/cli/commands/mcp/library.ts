// The parts of the Model Context Protocol's SDK that shipx uses. The build makes this a separate file, which only
// `shipx mcp` loads.
export { Server } from '@modelcontextprotocol/server'
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
