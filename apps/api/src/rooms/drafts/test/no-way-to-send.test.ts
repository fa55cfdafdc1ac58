import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { draftsWorld, writeDraft } from './drafts-world.ts'

/* Nothing of the product sends anything (specification, Phase 14 §1): a search of its routes, packages, sources and built screens. */

const root = join(import.meta.dirname, '../../../../../..')

/** Packages that send mail or messages, or that call a service which does. */
const senders =
  /(?:^|\/)(?:nodemailer|sendmail|emailjs|smtp-|mailgun|postmark|sendgrid|mailersend|resend|sparkpost|twilio|vonage|messagebird|plivo|telnyx|imapflow|mailcomposer|mail\b)|client-(?:ses|sns)/i

/** Links and files that open another program to send with. */
const handOver = /\b(?:mailto|tel|sms|smsto|whatsapp|skype|tg):(?=[^\s'"`]*[@+\w$])|wa\.me\/|message\/rfc822|\.eml\b/i

/** Words that would call a draft, an approval or a copy what it is not. */
const claims = /\b(?:sent|delivered|contacted|dispatched)\b/i

const sourcesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: root }).filter((file) => !/node_modules|\.test\.|\/test\/|\/generated\//.test(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('no route sends, and no route of drafts has an effect outside the store', async () => {
  const routes: RouteOptions[] = []
  await buildTestApp({ onRoute: (route) => routes.push(route) })
  const urls = routes.map(({ url }) => url)
  expect(
    urls.filter((url) =>
      /\/(?:send|sends|sending|deliver|deliveries|dispatch|campaigns?|outbox|messages?)\b/.test(url),
    ),
  ).toEqual([])
  const changing = routes
    .filter(({ url, method }) => url.includes('/drafts') && method === 'POST')
    .map(({ url }) => url)
  expect(changing.map((url) => url.split('/').at(-1)).toSorted()).toEqual([
    'approval-requests',
    'approvals',
    'closure',
    'copies',
    'drafts',
    'rejections',
    'withdrawal',
  ])
})

test('no package of the lock file sends mail or messages', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, unknown> }
  const names = Object.keys(packages).map((path) => path.split('node_modules/').at(-1) ?? '')
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => senders.test(name))).toEqual([])
})

test('no source hands a text over to a mail, phone or chat program', () => {
  const files = sourcesOf(
    'apps/api/src/**/*.ts',
    'apps/web/src/**/*.{ts,tsx}',
    'apps/web/server/**/*.ts',
    'packages/*/src/**/*.ts',
  )
  expect(files.length).toBeGreaterThan(500)
  const code = (file: string) => textOf(file).replace(/\/\*.*?\*\/|\/\/ .*$/gms, '')
  // Recognizing such a text is not making one.
  const readers = /rooms\/(?:contact-gate|normalization|csv-preview|scanning|contacts)\//
  expect(files.filter((file) => !readers.test(file) && handOver.test(code(file)))).toEqual([])
})

test('the built screens, where they are built, have no such link either', () => {
  const folder = 'apps/web/dist'
  const files = existsSync(join(root, folder)) ? globSync(`${folder}/**/*.{js,html}`, { cwd: root }) : []
  // The name of a protocol alone is in the list of those that a router accepts; a link continues with an address.
  const link = /\b(?:mailto|tel|sms|smsto|whatsapp):(?:\$\{|["'`]\s*\+|[\w+@]+@)/i
  expect(files.filter((file) => link.test(textOf(file)))).toEqual([])
})

test('no answer, action or text of drafts calls one sent, delivered or contacted', async () => {
  const world = await draftsWorld()
  const draft = await writeDraft(world)
  const { checks, state, history } = draft
  expect(JSON.stringify({ checks, state, history, keys: Object.keys(draft) })).not.toMatch(claims)
  const { body } = await world.administrator.get<{ items: { action: string; label: string }[] }>('/audit-actions')
  const own = JSON.stringify(body).match(/[^{]*"draft[^}]*/g) ?? []
  expect(own.length).toBeGreaterThan(5)
  expect(own.filter((one) => claims.test(one))).toEqual([])
  const screens = sourcesOf('apps/web/src/rooms/drafts/**/*.{ts,tsx}').filter((file) =>
    claims.test(textOf(file).replace(/nothing is (?:ever )?sent|\bsent=\{/gi, '')),
  )
  expect(screens).toEqual([])
})
