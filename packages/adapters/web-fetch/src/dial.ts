import { connect, type Socket } from 'node:net'

export type Dialled = {
  /** a socket that has begun to connect */
  socket: Socket
  /** returns the address to which the socket is connected */
  peer: () => string | undefined
}

export type Dial = (address: string, port: number) => Dialled

/** Connects to a literal address, so no name is resolved. */
export const dial: Dial = (address, port) => {
  const socket = connect({ host: address, port })
  return { socket, peer: () => socket.remoteAddress }
}
