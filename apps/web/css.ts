import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Plugin } from 'postcss'
import { media } from './src/ui/layout/media.ts'

const queries = new Map(Object.entries<string>(media))

/**
 * Replaces named media queries, such as `@media (--narrow)`, by those of ui/layout/media.ts. Runs on exit, after composed style sheets are inlined.
 */
const namedMedia = {
  postcssPlugin: 'named-media',
  OnceExit: (root) => {
    root.walkAtRules('media', (rule) => {
      rule.params = rule.params.replace(/\(--([\w-]+)\)/g, (_, name: string) => {
        const query = queries.get(name)
        if (query === undefined) throw rule.error(`ui/layout/media.ts has no query of this name: ${name}.`)
        return query
      })
    })
  },
} satisfies Plugin

/** Palettes of Mantine that the app's theme excludes. Removing them saves 2 kB of the first load. */
const unusedPalettes = /^--mantine-color-(pink|grape|violet|indigo|blue|cyan|teal|green|lime|orange)-/
const withoutUnusedPalettes = {
  postcssPlugin: 'without-unused-palettes',
  Declaration: (declaration) => {
    if (unusedPalettes.test(declaration.prop)) declaration.remove()
  },
} satisfies Plugin

/** Short class name with one hash per file. Vite's default names also encode the line of each class. */
function scopedName(name: string, file: string): string {
  const mark = createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('hex')
    .slice(0, 5)
  return `${name}_${mark}`
}

/** CSS options of Vite, for the app and for its component tests. */
export const css = {
  postcss: { plugins: [namedMedia, withoutUnusedPalettes] },
  modules: { generateScopedName: scopedName },
}
