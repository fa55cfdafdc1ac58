import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { css } from './css.ts'

const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8000'

/** Names besides localhost and addresses, as the web server reads them. */
const publicHosts = (process.env.PUBLIC_HOSTS ?? '').split(',').map((entry) => entry.trim().replace(/:\d+$/, ''))

const inNearlyEveryScreen =
  /@mantine[\\/](hooks|core[\\/]esm[\\/](core|utils|components[\\/](Input|InputBase|TextInput|CloseButton))[\\/])/

/** The SIL Open Font License goes with each copy of the font (its condition 2). */
const fontLicence: Plugin = {
  name: 'font-licence',
  apply: 'build',
  generateBundle() {
    const file = new URL(import.meta.resolve('@fontsource-variable/inter/LICENSE'))
    this.emitFile({ type: 'asset', name: 'inter-OFL.txt', source: readFileSync(file) })
  },
}

export default defineConfig({
  plugins: [react(), fontLicence],
  css,
  // The web server puts a fresh nonce in place of this on every answer: server/index-page.ts.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    // Fonts and icons stay files: a data: address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    sourcemap: false,
    // The styles of every screen come with the page: one that failed to come with its screen is never asked for again, and the screen
    // is drawn without.
    cssCodeSplit: false,
    // What every page needs at once is one file, what nearly every screen needs another: each came in a dozen or more, most of
    // them smaller than their way.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'common', test: inNearlyEveryScreen, minShareCount: 3 },
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
