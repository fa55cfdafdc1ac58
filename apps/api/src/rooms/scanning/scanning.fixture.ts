import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    scanId: string
  }
}

const BOUNDARY = 'page-of-a-prospect'
const contentType = `multipart/form-data; boundary=${BOUNDARY}`

const page = `<!doctype html><title>Overberg Fencing</title><h1>Overberg Fencing</h1>
<p>We build fences in Caledon. Ask Pieter for a price.</p><a href="/contact">Contact us</a>`

function formOf(url: string): string {
  const fields = [
    `Content-Disposition: form-data; name="page"; filename="page.html"\r\nContent-Type: text/html\r\n\r\n${page}`,
    `Content-Disposition: form-data; name="url"\r\n\r\n${url}`,
    'Content-Disposition: form-data; name="capturedAt"\r\n\r\n2026-11-20T09:00:00Z',
    'Content-Disposition: form-data; name="role"\r\n\r\nstart',
  ]
  return `${fields.map((field) => `--${BOUNDARY}\r\n${field}\r\n`).join('')}--${BOUNDARY}--\r\n`
}

export const fixture: RoomFixture = {
  records: async ({ client, unique, place: { businessId } }) => {
    const supply = async (path: string) =>
      idIn(
        await client.post(`/businesses/${businessId}/supplied-pages`, formOf(`https://overberg.example/${path}`), {
          'content-type': contentType,
          'idempotency-key': unique(),
        }),
      )
    await supply('About us')
    return { scanId: await supply('Home page') }
  },
  cases: {
    supplyPage: { permission: 'scanning.supply', body: formOf('https://overberg.example/Home page'), contentType },
    listScans: { permission: 'scanning.read', filtersBy: { business: 'businessId' } },
    getScan: { permission: 'scanning.read' },
  },
}
