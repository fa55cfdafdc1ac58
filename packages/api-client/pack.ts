import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/*
 * `npm run pack:client [folder]` compiles the client to JavaScript with declarations and packs it, because Node runs no TypeScript of installed packages.
 * Prints the path of the package, which is part of a release.
 */

const here = (name: string) => join(import.meta.dirname, name)
const destination = resolve(process.argv[2] ?? here('dist'))
const { name, version, type, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(here('package.json'), 'utf8'),
)

const folder = mkdtempSync(join(tmpdir(), 'prospect-client-'))
try {
  const compiler = here('../../node_modules/typescript-native/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', here('tsconfig.pack.json'), '--outDir', folder], { stdio: 'inherit' })
  for (const file of globSync(join(folder, '**/*.d.ts'))) writeFileSync(file, withScripts(readFileSync(file, 'utf8')))
  copyFileSync(here('README.md'), join(folder, 'README.md'))
  const published = {
    name,
    version,
    description: 'Typed client of the Prospect Platform API',
    license: 'UNLICENSED',
    type,
    sideEffects: false,
    engines: { node: '>=22' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './query': { types: './query.d.ts', default: './query.js' },
    },
    peerDependencies,
    peerDependenciesMeta,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  mkdirSync(destination, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', destination], {
    cwd: folder,
    encoding: 'utf8',
  })
  process.stdout.write(`${join(destination, packed.trim())}\n`)
} finally {
  rmSync(folder, { recursive: true })
}

/** Names the scripts in the imports of a declaration: the compiler does so in scripts only. */
function withScripts(declaration: string): string {
  return declaration.replaceAll(/((?:from|import)\s*\(?\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
}
