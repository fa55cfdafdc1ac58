import type { Root } from 'postcss'
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

/** How Vite reads the style sheets, in the app and in the tests of its components. */
export const css = { postcss: { plugins: [namedMedia, customMedia()] } }
