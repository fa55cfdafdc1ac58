import { readSync } from 'node:fs'

/** Fills the buffer with the bytes from this position, and returns their number. It is smaller than the buffer only at the end of the content. */
export type ReadAt = (buffer: Uint8Array, position: number) => number

export function readFrom(fd: number): ReadAt {
  return (buffer, position) => {
    let read = 0
    while (read < buffer.length) {
      const more = readSync(fd, buffer, read, buffer.length - read, position + read)
      if (more === 0) break
      read += more
    }
    return read
  }
}
