import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { css } from './css.ts'
import { staticShell } from './static-shell.ts'

const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8000'

/** Host names besides localhost and IP addresses, parsed like in the web server. */
const publicHosts = (process.env.PUBLIC_HOSTS ?? '').split(',').map((entry) => entry.trim().replace(/:\d+$/, ''))

const inNearlyEveryScreen =
  /@mantine[\\/](hooks|core[\\/]esm[\\/](core|utils|components[\\/](Input|InputBase|TextInput|CloseButton))[\\/])/
/** The modules of `inNearlyEveryScreen` that only dialogs, menus, tooltips and checkboxes use. The prospect list loads without them. */
const ofOverlays =
  /@mantine[\\/](hooks[\\/]esm[\\/]use-(click-outside|debounced-value|focus-return|focus-trap|long-press|previous|window-event)|core[\\/]esm[\\/](utils|core[\\/]utils[\\/](close-on-escape|create-event-handler|create-safe-context|create-scoped-keydown-handler|find-element-|get-context-item|get-default-z|get-ref-prop|get-single-element|is-element)))/

/** The SIL Open Font License must accompany each copy of the font (condition 2). */
const fontLicence: Plugin = {
  name: 'font-licence',
  apply: 'build',
  generateBundle() {
    const file = new URL(import.meta.resolve('@fontsource-variable/inter/LICENSE'))
    this.emitFile({ type: 'asset', name: 'inter-OFL.txt', source: readFileSync(file) })
  },
}

/** The app reads streams with EventSource. The generated client contains a reader of its own, which would be 0.6 kB of the first load. */
const withoutClientStreams: Plugin = {
  name: 'without-client-streams',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id.endsWith('/core/serverSentEvents.gen.ts') ? 'export const createSseClient = undefined' : undefined),
}

export default defineConfig({
  plugins: [react(), fontLicence, withoutClientStreams, staticShell],
  css,
  // The web server replaces this placeholder with a new nonce in every response: server/index-page.ts.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // Fonts and icons stay files: data: URLs would require an exception in the content security policy.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    sourcemap: false,
    // One style sheet for all screens: a browser does not retry a style sheet that failed to load with its screen, so the screen would be rendered
    // without styles.
    cssCodeSplit: false,
    // Code of every page is bundled in one file, and code of nearly every screen in another. Without this, each was split into a dozen or more files,
    // most of them too small to be worth a request.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'common', test: (id) => inNearlyEveryScreen.test(id) && !ofOverlays.test(id), minShareCount: 3 },
            { name: 'overlays', test: ofOverlays, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    allowedHosts: publicHosts.filter((name) => name !== ''),
    proxy: { '/api': { target: apiUrl, xfwd: true } },
  },
})
