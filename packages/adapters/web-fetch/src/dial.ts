import { connect, type Socket } from 'node:net'

export type Dialled = {
  /** connecting */
  socket: Socket
  /** the address that the socket is connected to, once it is */
  peer: () => string | undefined
}

export type Dial = (address: string, port: number) => Dialled

/** Connects to an address literal: no name is looked up. */
export const dial: Dial = (address, port) => {
  const socket = connect({ host: address, port })
  return { socket, peer: () => socket.remoteAddress }
}
