import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    previewId: string
  }
}

const file = 'Name,Email\nOverberg Fencing,desk@overberg.example\nKaroo Windpumps,desk@karoo.example\n'
const contentType = 'text/csv'

export const fixture: RoomFixture = {
  isHeldInMemory: true,
  records: async ({ client }) => ({
    previewId: idIn(await client.post('/csv-previews', file, { 'content-type': contentType })),
  }),
  cases: {
    createCsvPreview: { permission: 'sources.preview', body: file, contentType },
    getCsvPreviewLimits: { permission: 'sources.preview' },
    getCsvPreview: { permission: 'sources.preview', isOfItsMaker: true },
    listCsvRows: { permission: 'sources.preview', isOfItsMaker: true },
  },
}
