import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import { pino } from 'pino'
import { buildApp } from '../../apps/api/src/app.ts'
import { readConfig } from '../../apps/api/src/config.ts'
import { type DescribedRoute, describeRoutes } from '../../apps/api/src/http/describe-routes.ts'
import { systemClock } from '../../apps/api/src/lib/clock.ts'
import { facts } from '../../apps/api/src/rooms/businesses/record/facts.data.ts'
import { migrations } from '../../apps/api/src/rooms/migrations.ts'
import { openStore } from '../../apps/api/src/store/store.ts'

/*
 * Writes the OpenAPI document of the current API, and generates the typed client from it. `npm run check:client` runs this and fails if a file
 * changed, which means that the client was outdated.
 */
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const document = here('../../apps/api/src/http/openapi.json')

async function openApiDocument(): Promise<unknown> {
  const dataDir = mkdtempSync(join(tmpdir(), 'prospect-openapi-'))
  const config = readConfig({ DATA_DIR: dataDir })
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const routes: DescribedRoute[] = []
  const logger = pino({ level: 'silent' })
  const app = await buildApp({ store, config, logger, onRoute: (route) => routes.push(route) })
  try {
    await app.ready()
    return await describeRoutes(routes)
  } finally {
    await app.close()
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
}

writeFileSync(document, `${JSON.stringify(await openApiDocument(), null, 2)}\n`)

const { paths }: { paths: Record<string, Record<string, { operationId: string; tags: [string, ...string[]] }>> } =
  JSON.parse(readFileSync(document, 'utf8'))
const tagOf = new Map(
  Object.values(paths).flatMap((path) =>
    Object.values(path).map(({ operationId, tags: [tag] }): [string, string] => [operationId, tag]),
  ),
)

/** Returns the module of a function: one per tag, so that a page of the web app loads only the operations of the tags that it uses. */
function moduleOf({ name, meta }: { name: string; meta?: { plugin?: unknown } | undefined }): string | undefined {
  const folder = { '@hey-api/sdk': 'sdk', '@tanstack/react-query': 'query' }[String(meta?.plugin)]
  const tag = tagOf.get(name.replace(/(?:Infinite)?(?:Options|QueryKey)$|Mutation$/, ''))
  return folder === undefined || tag === undefined ? undefined : `${folder}/${tag.replaceAll(' ', '-')}`
}

await createClient({
  input: document,
  // Imports must name existing files, because Node runs the generated files without a build.
  output: { path: here('src/generated'), postProcess: [], module: { extension: '.ts' } },
  plugins: [
    '@hey-api/typescript',
    // The browser sends the session cookie by itself, so operations need not name it.
    { name: '@hey-api/sdk', auth: false },
    // Set no default URL, so that a cache key that is created before the client is configured equals a later one.
    { name: '@hey-api/client-fetch', baseUrl: false },
    { name: '@tanstack/react-query', queryKeys: { tags: true } },
  ],
  parser: {
    hooks: {
      symbols: {
        getFilePath: moduleOf,
        getExportFromFilePath: ({ meta }) => (meta?.plugin === '@tanstack/react-query' ? ['queries'] : undefined),
      },
    },
  },
  logs: { level: 'warn' },
})

/** Tags of operations. They are part of the keys of cached responses. */
const tagType = [...new Set(tagOf.values())].map((tag) => `'${tag}'`).join(' | ')
writeFileSync(here('src/generated/tags.gen.ts'), `export type ApiTag = ${tagType};\n`)

/** The parts of the table of business facts from which the web app derives fields, columns and words. A browser loads them, so the others are left out. */
const ofTheServer = new Set(['column', 'compare', 'reviewed', 'signal', 'maxLength'])
const shownFacts = JSON.stringify(facts, (name, value) => (ofTheServer.has(name) ? undefined : value), 2)
writeFileSync(here('src/generated/facts.gen.ts'), `export const facts = ${shownFacts} as const;\n`)

/**
 * Disables type checks in the generated code, which is not written for `exactOptionalPropertyTypes`. Its exported types are still exact. Also exports
 * the functions that all modules of queries import: the generator does not.
 */
for (const file of globSync(here('src/generated/**/*.ts'))) {
  const code = readFileSync(file, 'utf8').replaceAll(
    /^const (?=createQueryKey|createInfiniteParams)/gm,
    'export const ',
  )
  writeFileSync(file, `// @ts-nocheck\n${code}`)
}
