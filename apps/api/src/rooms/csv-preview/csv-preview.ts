/** Public module of the CSV preview room. A preview is in memory for minutes after its last use, for the person who uploaded the file. */
export { type PreviewRow, readPreviewRow } from './read-preview-row.ts'
