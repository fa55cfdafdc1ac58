import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Plugin } from 'postcss'
import { media } from './src/ui/layout/media.ts'

const queries = new Map(Object.entries<string>(media))

/** Replaces the names of ui/layout/media.ts: `@media (--narrow)`. On exit, so that composed style sheets are in place. */
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

/** Palettes of Mantine that `color` does not take here (app/theme.ts): 2 kB of the first load. */
const unusedPalettes = /^--mantine-color-(pink|grape|violet|indigo|blue|cyan|teal|green|lime|orange)-/
const withoutUnusedPalettes = {
  postcssPlugin: 'without-unused-palettes',
  Declaration: (declaration) => {
    if (unusedPalettes.test(declaration.prop)) declaration.remove()
  },
} satisfies Plugin

/** One short mark for each file: Vite's own names add the line of each class. */
function scopedName(name: string, file: string): string {
  const mark = createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('hex')
    .slice(0, 5)
  return `${name}_${mark}`
}

/** How Vite reads the style sheets, in the app and in the tests of its components. */
export const css = {
  postcss: { plugins: [namedMedia, withoutUnusedPalettes] },
  modules: { generateScopedName: scopedName },
}
