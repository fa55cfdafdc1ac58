import { webPageSchema, webTraceSchema } from '@prospect/adapter-contract/web-page'
import { definePurpose } from '../../sources/sources.ts'

/** One GET of one page of a prospect's website. */
export const webPages = definePurpose({
  name: 'web_pages',
  permission: 'scanning.fetch',
  record: webPageSchema,
  trace: webTraceSchema,
})
