import { connect, type Socket } from 'node:net'

export type Dialled = {
  /** a socket that is connecting */
  socket: Socket
  /** returns the address of the connected socket */
  peer: () => string | undefined
}

export type Dial = (address: string, port: number) => Dialled

/** Connects to an address literal, so no name is resolved. */
export const dial: Dial = (address, port) => {
  const socket = connect({ host: address, port })
  return { socket, peer: () => socket.remoteAddress }
}
