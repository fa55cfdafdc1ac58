const BOUNDARY = 'a-page-of-a-test'

/** A form with one page, as a browser submits it. */
export function formWith(
  page: string | Buffer,
  {
    url = 'https://karoo.co.za/contact',
    capturedAt = '2026-11-20T09:00:00Z',
    role = 'contact',
    ...others
  }: Record<string, string> = {},
): { body: Buffer; contentType: string } {
  const fields = Object.entries({ url, capturedAt, role, ...others }).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="page"; filename="page.html"\r\nContent-Type: text/html\r\n\r\n`
  return {
    body: Buffer.concat([
      Buffer.from(fields.join('') + head),
      typeof page === 'string' ? Buffer.from(page) : page,
      Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    ]),
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  }
}
