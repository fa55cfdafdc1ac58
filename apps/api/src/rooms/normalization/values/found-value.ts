import type { IdentifierKind } from '../identifier-reading.ts'

/**
 * How a value was read. `plain`: as it is written. `obfuscated`: with a sign that is written out, such as `[at]`. `decoded`: behind the escapes of a URL,
 * of HTML or of a message. `joined`: over the end of a line.
 */
export type ReadAs = 'plain' | 'obfuscated' | 'decoded' | 'joined'

/** A value in a text: its kind, its normalized form, its place [from, to) in the text, and how it was read. */
export type FoundValue = { kind: IdentifierKind; normalized: string; from: number; to: number; read: ReadAs }

/** A value that one of the readers found in a text in visible form. */
export type Spotted = { normalized: string; from: number; to: number; read: ReadAs }

/** Matches the end of a line. A value can be broken there, for example in a message. */
export const LINE_END = /[\r\n\u0085\u2028\u2029]/
