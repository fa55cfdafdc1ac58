declare module 'html-encoding-sniffer' {
  /** The name of the encoding of a document, by its byte order mark, the header, its own statement, or the default. */
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string },
  ): string
}
