// Ends connections whose client is still sending. If the service closed one at once, the system would reset it, and the
// client could lose its answer. So the service reads for a moment more, and drops what comes.
import type { Socket } from 'node:net'

/** How long a client that got its answer may go on sending, ms. One that never closes must not keep the descriptor. */
const lingerMs = 500

const ending = new WeakSet<Socket>()

/** Whether a connection has had its last answer: whatever comes on it is dropped. */
export const isEnding = (socket: Socket): boolean => ending.has(socket)

/** Closes a connection some time after its last answer, unless the client does so before. */
export function closeLater(socket: Socket): void {
  ending.add(socket)
  const late = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(late))
}

/** Has a connection closed later, where Node would close it at once after the answer under way. */
export function lingerAfterAnswer(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    closeLater(socket)
  }
}
