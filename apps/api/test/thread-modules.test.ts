import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compiledBefore } from './run-node.ts'

const sources = fileURLToPath(new URL('../src', import.meta.url))
/** Threads that build queries. Every other thread runs SQL text or pure functions, and starts in about half of the time without the query builder. */
const buildQueries = ['analysis-worker.ts', 'match-writer.ts', 'score-worker.ts']
/** Prints, for each file, the modules of the query builder that it loads. A worker file throws outside of a thread, but only after its imports. */
const LOAD_EACH = `
  import { registerHooks } from 'node:module'
  let loaded = 0
  registerHooks({
    load: (url, context, next) => {
      if (url.includes('/node_modules/kysely/')) loaded += 1
      return next(url, context)
    },
  })
  const found = {}
  for (const url of process.argv.slice(1)) {
    const before = loaded
    await import(url).catch(() => {})
    found[url] = loaded - before
  }
  process.stdout.write(JSON.stringify(found), () => process.exit(0))
`

/** Returns the files that some module starts as a worker thread: their names are in the source, but not in an import. */
function workerFiles(): string[] {
  const files = globSync('**/*.ts', { cwd: sources }).filter((file) => !file.endsWith('.test.ts'))
  const workers = files.flatMap((file) => {
    const scripts = readFileSync(resolve(sources, file), 'utf8').matchAll(
      /(?<!from )'(\.\/[\w-]+-(?:worker|reader|writer)\.ts)'/g,
    )
    return [...scripts].map(([, script = '']) => resolve(sources, dirname(file), script))
  })
  return [...new Set(workers)]
}

async function queryBuilderIn(files: readonly string[]): Promise<Record<string, number>> {
  const urls = files.map((file) => pathToFileURL(file).href)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', LOAD_EACH, ...urls],
    { env: compiledBefore() },
  )
  return JSON.parse(stdout)
}

test('threads that run SQL text or pure functions load no query builder', async () => {
  const builds = (file: string) => buildQueries.some((name) => file.endsWith(`/${name}`))
  const small = workerFiles().filter((file) => !builds(file))
  const pure = globSync('rooms/*/*.pure.ts', { cwd: sources }).map((file) => resolve(sources, file))
  const [first = ''] = workerFiles().filter(builds)
  const found = await queryBuilderIn([...small, ...pure, first])
  expect(small.length).toBeGreaterThanOrEqual(8)
  const { [pathToFileURL(first).href]: counted, ...others } = found
  expect(Object.entries(others).filter(([, modules]) => modules > 0)).toEqual([])
  // A thread that builds queries shows that the count works.
  expect(counted).toBeGreaterThan(100)
})
