import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Declaration, Root } from 'postcss'
import customMedia from 'postcss-custom-media'
import { media } from './src/ui/layout/media.ts'

/** Every style sheet knows the names of ui/layout/media.ts. */
const namedMedia = {
  postcssPlugin: 'named-media',
  Once: (root: Root) => {
    for (const [name, query] of Object.entries(media))
      root.prepend({ name: 'custom-media', params: `--${name} ${query}` })
  },
}

/** Palettes of Mantine that `color` does not take here (app/theme.ts): 2 kB of the first load. */
const unusedPalettes = /^--mantine-color-(pink|grape|violet|indigo|blue|cyan|teal|green|lime|orange)-/
const withoutUnusedPalettes = {
  postcssPlugin: 'without-unused-palettes',
  Declaration: (declaration: Declaration) => {
    if (unusedPalettes.test(declaration.prop)) declaration.remove()
  },
}

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
  postcss: { plugins: [namedMedia, customMedia(), withoutUnusedPalettes] },
  modules: { generateScopedName: scopedName },
}
