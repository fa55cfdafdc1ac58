/**
 * Public module of the CSV preview room: rows of previews, and the readers of uploaded CSV files for other rooms. A preview is in memory for minutes
 * after its last use, for the person who uploaded the file.
 */

export { readDoNotContact } from './csv/do-not-contact.rules.ts'
export { csvFaultSentence, openCsv } from './csv/open-csv.ts'
export { type PreviewRow, readPreviewRow } from './read-preview-row.ts'
export { receiveUpload, type Upload } from './receive-upload.ts'
export { acceptCsvBodies, csvBodyOf, requireCsvBody } from './require-csv-body.ts'
