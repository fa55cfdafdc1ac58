import { MAX_URL_LENGTH } from '@prospect/adapter-contract/web-page'
import { z } from 'zod'
import { instant } from '../../../http/text.ts'
import { numeral } from '../../../lib/numeral.ts'
import { readPageUrl } from '../pages/page-urls.rules.ts'
import { pageRoles } from '../scanning.table.ts'

/** Parses a page's address into a URL without user information and fragment. */
export const pageAddress = z
  .string()
  .max(MAX_URL_LENGTH, `At most ${numeral(MAX_URL_LENGTH)} characters.`)
  .refine(
    (text) => readPageUrl(text) !== undefined,
    'Enter the address of a page, such as https://karoo.co.za/contact.',
  )

export const suppliedPageSchema = z.strictObject({
  page: z
    .custom<Uint8Array>((value) => value instanceof Uint8Array && value.length > 0, 'Choose a page, or paste its text.')
    .meta({ type: 'string', format: 'binary', description: 'Saved HTML, XHTML or plain text, as a file or a field' }),
  url: pageAddress,
  capturedAt: instant.describe('When the page was saved'),
  role: z.enum(pageRoles),
})
export type SuppliedPage = z.output<typeof suppliedPageSchema>
