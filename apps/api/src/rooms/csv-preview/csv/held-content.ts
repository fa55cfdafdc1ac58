import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { ReadAt } from './read-at.ts'

/** Number of bytes that are compressed together. A window of rows decompresses the blocks that it reads. */
const BLOCK_BYTES = 262_144
/** Contact lists shrink to about a third at this level. Higher levels save little and take several times as long. */
const LEVEL = 1

/** The beginning of a file in memory, compressed. Threads share the blocks without a copy. `bytes`: number of bytes of the file that are held. */
export type HeldContent = { blocks: SharedArrayBuffer[]; bytes: number; packedBytes: number }

/** Compresses a file into memory, up to a number of compressed bytes. */
export function packContent(read: ReadAt, maxPackedBytes: number): HeldContent {
  const content: HeldContent = { blocks: [], bytes: 0, packedBytes: 0 }
  const buffer = new Uint8Array(BLOCK_BYTES)
  for (;;) {
    const length = read(buffer, content.bytes)
    if (length === 0) return content
    const packed = deflateRawSync(buffer.subarray(0, length), { level: LEVEL })
    if (content.packedBytes + packed.length > maxPackedBytes) return content
    const block = new SharedArrayBuffer(packed.length)
    new Uint8Array(block).set(packed)
    content.blocks.push(block)
    content.bytes += length
    content.packedBytes += packed.length
  }
}

/** Returns the function that reads held content. It caches the last block, because windows are read in order. */
export function readHeld({ blocks }: HeldContent): ReadAt {
  let last: { index: number; bytes: Uint8Array } | undefined
  const blockAt = (index: number): Uint8Array => {
    const block = blocks[index]
    if (block === undefined) return new Uint8Array()
    if (last?.index !== index) last = { index, bytes: inflateRawSync(new Uint8Array(block)) }
    return last.bytes
  }
  return (buffer, position) => {
    let filled = 0
    while (filled < buffer.length) {
      const at = position + filled
      const start = at % BLOCK_BYTES
      const part = blockAt(Math.floor(at / BLOCK_BYTES)).subarray(start, start + buffer.length - filled)
      if (part.length === 0) break
      buffer.set(part, filled)
      filled += part.length
    }
    return filled
  }
}
