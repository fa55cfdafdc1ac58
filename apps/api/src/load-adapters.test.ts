import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { buildTestApp } from '../test/build-app.ts'
import { temporaryFolder } from '../test/template-store.ts'
import { ConfigError } from './config.ts'
import { type LoadedAdapters, loadAdapters, noAdapters } from './load-adapters.ts'

const SECRET = 'four small words here'

/** Writes an adapters file whose default export is `list`, and returns its path. */
function fileOf(list: string): string {
  const file = join(temporaryFolder(), 'adapters.mjs')
  writeFileSync(
    file,
    `const schema = { safeParse: () => ({ success: true }) }
     const fixture = { id: 'fixture', version: '1.2.0', answersFrom: 'one_provider', querySchema: schema, settingsSchema: schema,
       declaration: { purposes: ['dns'], answerFields: { always: ['status'], onRequest: [] }, minRecords: 1, query: null, settings: [] },
       details: { model: 'karoo' }, plan: () => ({ kind: 'refused', reason: 'x', message: 'x' }), load: () => { throw new Error('loaded') } }
     export default ${list}`,
  )
  return file
}

async function refusalOf(path: string): Promise<string> {
  const error: unknown = await loadAdapters(path).catch((thrown: unknown) => thrown)
  if (error instanceof ConfigError) return error.message
  throw new Error(`This file was accepted: ${path}`)
}

test('without a file no adapter is loaded', async () => {
  expect(await loadAdapters(undefined)).toEqual({ file: null, items: [] })
})

test('the adapters of a file are listed with its digest, and no transport is loaded', async () => {
  const file = fileOf("[fixture, { ...fixture, id: 'other' }]")
  const loaded = await loadAdapters(file)
  expect(loaded.file?.sha256).toBe(createHash('sha256').update(readFileSync(file)).digest('hex'))
  expect(loaded.items).toMatchObject([
    { id: 'fixture', version: '1.2.0', details: { model: 'karoo' } },
    { id: 'other' },
  ])
  expect(() => loaded.items[0]?.load()).toThrow('loaded')
  expect((await loadAdapters(fileOf('[]'))).items).toEqual([])
})

test('changing a byte of the file changes the digest', async () => {
  const [one, other] = [await loadAdapters(fileOf('[fixture]')), await loadAdapters(fileOf('[fixture] '))]
  expect(one.file?.sha256).not.toBe(other.file?.sha256)
})

describe('a file is refused by a sentence that names it', () => {
  test.each([
    ['no list', 'fixture', 'which has a default export that must be a list of adapters.'],
    ['nothing', 'undefined', 'which has a default export that must be a list of adapters.'],
    ['another value in the list', '[fixture, 7]', 'which has a default export that is wrong at 1: it '],
    ['an adapter without an id', '[{ ...fixture, id: undefined }]', 'is wrong at 0.id: it must be a text.'],
    [
      'an invalid version',
      "[{ ...fixture, version: 'new and better' }]",
      'is wrong at 0.version: it must be letters, digits',
    ],
    ['an invalid schema', '[{ ...fixture, querySchema: {} }]', 'is wrong at 0.querySchema: it must be a Zod schema.'],
    ['an invalid plan', '[{ ...fixture, plan: 7 }]', 'is wrong at 0.plan: it must be a function.'],
    ['an unknown property', `[{ ...fixture, key: '${SECRET}' }]`, 'is wrong at 0: it '],
    ['a repeated id', '[fixture, fixture]', 'which has a default export that must not use an id twice.'],
    [
      '21 adapters',
      'Array.from({ length: 21 }, (_, index) => ({ ...fixture, id: "a" + index }))',
      'must list at most 20 adapters.',
    ],
    [
      'an error',
      "(() => { throw new Error('The dns adapter is configured wrongly.\\nAt line 3') })()",
      'which cannot be run: The dns adapter is configured wrongly.',
    ],
    ['broken text', '[', 'which cannot be run: Unexpected end of input'],
  ])('%s', async (_what, list, sentence) => {
    const file = fileOf(list)
    const refusal = await refusalOf(file)
    expect(refusal).toContain(`ADAPTERS_FILE names ${file}, `)
    expect(refusal).toContain(sentence)
    expect(refusal).not.toContain('\n')
    expect(refusal).not.toContain(SECRET)
  })

  test('when it does not exist, is a folder or cannot be read', async () => {
    const folder = temporaryFolder()
    const withheld = fileOf('[]')
    chmodSync(withheld, 0)
    mkdirSync(join(folder, 'folder'))
    const paths = [join(folder, 'nothing.mjs'), join(folder, 'folder')]
    // Skip this case for root, who can read every file.
    if (process.getuid?.() !== 0) paths.push(withheld)
    for (const path of paths)
      expect(await refusalOf(path)).toBe(
        `ADAPTERS_FILE names ${path}, which cannot be read. Check the path, and that this user may read it.`,
      )
  })

  test('when it has no default export', async () => {
    const file = join(temporaryFolder(), 'adapters.mjs')
    writeFileSync(file, 'export const adapters = []')
    expect(await refusalOf(file)).toContain(
      'which has no default export. Export a list of adapters by "export default".',
    )
  })

  test('when it changes while it is loaded', async () => {
    const file = join(temporaryFolder(), 'adapters.mjs')
    writeFileSync(
      file,
      "import { appendFileSync } from 'node:fs'\nappendFileSync(new URL(import.meta.url), ' ')\nexport default []",
    )
    expect(await refusalOf(file)).toContain('which changed while it was loaded. Start again.')
  })

  test('when it does not finish', async () => {
    const file = join(temporaryFolder(), 'adapters.mjs')
    writeFileSync(file, 'await new Promise(() => {})\nexport default []')
    vi.useFakeTimers()
    try {
      const refusal = refusalOf(file)
      await vi.waitUntil(() => vi.getTimerCount() > 0)
      await vi.advanceTimersByTimeAsync(30_000)
      expect(await refusal).toContain('which cannot be run: it did not finish within 30 seconds.')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('GET /health/detail', () => {
  test('lists only the id and version of each adapter and the digest of the file', async () => {
    const adapters = await loadAdapters(fileOf('[fixture]'))
    const t = await buildTestApp({ adapters })
    const administrator = await t.as('administrator')
    const { body } = await administrator.get<{ adapters: LoadedAdapters }>('/health/detail')
    expect(body).toMatchObject({ adapters: { file: adapters.file, items: [{ id: 'fixture', version: '1.2.0' }] } })
    expect(JSON.stringify(body)).not.toContain('karoo')
    expect(Object.keys(body.adapters.items[0] ?? {})).toEqual(['id', 'version'])
  })

  test('lists none by default', async () => {
    const t = await buildTestApp()
    expect((await (await t.as('administrator')).get('/health/detail')).body).toMatchObject({ adapters: noAdapters })
  })
})
