import { AppError } from '../../../lib/app-error.ts'

/* Detects whether a file is a page: saved HTML, XHTML or plain text. Pure. */

const asHtml = 'Save the page itself: in the browser choose “Save page as” and “Webpage, HTML only”'

/** Other file types by their first bytes, each with advice for the person. */
const others: readonly { beginnings: readonly string[]; message: string }[] = [
  { beginnings: ['%PDF-'], message: `This is a PDF. ${asHtml}.` },
  {
    beginnings: ['From: <Saved by', 'MIME-Version:', 'Content-Type: multipart/related'],
    message: `This is an MHTML archive. ${asHtml}.`,
  },
  {
    beginnings: ['PK\x03\x04', 'PK\x05\x06', '\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'bplist00'],
    message: 'This is an archive. Add the HTML file from the archive.',
  },
  { beginnings: ['{\\rtf'], message: `This is an RTF document. Paste its text, or: ${asHtml}.` },
]

const HEAD = 1_024
const beginsAsHtml = /^[\s\u00ef\u00bb\u00bf\ufeff]*(?:<!doctype\s+html|<html|<head|<body|<title|<meta|<\?xml|<!--)/i
const wideMarks = ['\xff\xfe', '\xfe\xff']

/** Returns the format of a file. Errors: `page_format_unsupported`, whose message names the formats to save instead. */
export function formatOf(bytes: Uint8Array): 'html' | 'text' {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1')
  const refused = others.find(({ beginnings }) => beginnings.some((beginning) => head.startsWith(beginning)))
  if (refused !== undefined) throw new AppError('page_format_unsupported', refused.message)
  const isWide = wideMarks.some((mark) => head.startsWith(mark))
  if (!isWide && head.includes('\0'))
    throw new AppError('page_format_unsupported', `This file is neither HTML nor text. ${asHtml}, or paste its text.`)
  return beginsAsHtml.test(isWide ? head.replaceAll('\0', '').slice(2) : head) ? 'html' : 'text'
}
