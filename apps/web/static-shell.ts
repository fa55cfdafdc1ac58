import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { media } from './src/ui/layout/media.ts'

/**
 * Vite plugin that lets the page paint its frame before styles and script have loaded. The shell in index.html has a small inline style sheet; the
 * links to the app's style sheets move to the end of the body, where they block the app but not the shell. The session and the first screen are
 * prefetched in parallel with the script.
 */
export const staticShell: Plugin = {
  name: 'static-shell',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const styles = /\s*<link rel="stylesheet"[^>]*>/g
      const links = html.match(styles) ?? []
      if (links.length === 0) throw new Error('index.html names no style sheet.')
      const page = html
        .replace(styles, '')
        .replace('</body>', `${links.join('')}\n  </body>`)
        .replace(/(<style nonce="[^"]*">)(<\/style>)/, `$1${shellStyles()}$2`)
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
      const screen = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(FIRST_SCREEN) === true,
      )
      if (entry?.type !== 'chunk' || screen?.type !== 'chunk') throw new Error(`${FIRST_SCREEN} is no part of the app.`)
      const known = new Set([entry.fileName, ...entry.imports])
      const ahead = [screen.fileName, ...screen.imports].filter((file) => !known.has(file))
      const first = ahead.map((file) => `<link rel="modulepreload" href="/${file}" crossorigin>`).join('')
      const session = '<link rel="preload" href="/api/v1/session" as="fetch" crossorigin>'
      return page.replace('</head>', `  <!--first-screen-->${session}${first}<!--/first-screen-->\n  </head>`)
    },
  },
}

const FIRST_SCREEN = '/src/app/prospects/prospects-desk.tsx'

const used = ['canvas', 'surface', 'line', 'active', 'space-xs', 'space-lg', 'radius-lg', 'sidebar', 'bar']

/** Style rules of the shell, with the tokens it uses: a small version of app/shell/shell.module.css. */
function shellStyles(): string {
  const tokens = readFileSync(join(import.meta.dirname, 'src/app/tokens.css'), 'utf8')
  const [light = '', dark = ''] = tokens.split(':root[data-mantine-color-scheme="dark"]')
  const root = '#shell{'
  return [
    `${root}${declarations(light)}}`,
    `[data-mantine-color-scheme="dark"] ${root}${declarations(dark.split('}', 1)[0] ?? '')}}`,
    'body{margin:0}',
    // Mantine inserts its style elements before it renders anything, so they do not hide the shell.
    '#root:has(>:not(style))+#shell{display:none}',
    `${root}position:fixed;inset:0;display:flex;background:var(--pp-canvas)}`,
    '#shell>:first-child{box-sizing:border-box;width:var(--pp-sidebar);flex:none;padding:var(--pp-space-lg) var(--pp-space-lg) 0}',
    '#shell>:last-child{flex:1;min-width:0;margin:var(--pp-space-xs) var(--pp-space-xs) var(--pp-space-xs) 0;padding:var(--pp-space-lg);border:1px solid var(--pp-line);border-radius:var(--pp-radius-lg);background:var(--pp-surface)}',
    '#shell g{fill:var(--pp-active)}',
    `@media ${media.drawer}{#shell{flex-direction:column}#shell>:first-child{width:100%;height:var(--pp-bar);overflow:hidden;padding-top:1rem}#shell>:last-child{margin:0;border-width:1px 0 0;border-radius:0}}`,
    '@media print{#shell{display:none}}',
  ].join('')
}

function declarations(css: string): string {
  return used
    .flatMap((name) => {
      const value = new RegExp(`--pp-${name}:\\s*([^;]+);`).exec(css)?.[1]
      return value === undefined ? [] : [`--pp-${name}:${value}`]
    })
    .join(';')
}
