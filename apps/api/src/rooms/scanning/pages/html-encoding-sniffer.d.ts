declare module 'html-encoding-sniffer' {
  /** Returns the name of a document's encoding: by the byte order mark, the header, the document's own declaration, or the default. */
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string },
  ): string
}
