/** The room of CSV previews: the front door. What it holds is in memory, for minutes, for the person who uploaded it. */
export { readPreviewRow } from './read-preview-row.ts'
