import { expect, test } from 'vitest'
import { firstLoadFiles, readManifest } from './first-load.ts'

const manifest = readManifest(
  JSON.stringify({
    'index.html': { file: 'assets/index.js', imports: ['_shared.js'], dynamicImports: ['src/far.tsx'] },
    '_shared.js': { file: 'assets/shared.js' },
    'src/list.tsx': { file: 'assets/list.js', imports: ['_shared.js', 'index.html'], css: ['assets/list.css'] },
    'src/far.tsx': { file: 'assets/far.js' },
  }),
)

test('the first load is everything that the entries import statically, each file once', () => {
  expect(firstLoadFiles(manifest, ['index.html', 'src/list.tsx']).toSorted()).toEqual([
    'assets/index.js',
    'assets/list.js',
    'assets/shared.js',
  ])
})

test('an entry that the build does not contain is an error', () => {
  expect(() => firstLoadFiles(manifest, ['src/renamed.tsx'])).toThrow('src/renamed.tsx')
})
