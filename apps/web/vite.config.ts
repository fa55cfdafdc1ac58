import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8000'

/** Names besides localhost and addresses, as the web server reads them. */
const publicHosts = (process.env.PUBLIC_HOSTS ?? '').split(',').map((entry) => entry.trim().replace(/:\d+$/, ''))

const inNearlyEveryScreen =
  /@mantine[\\/](hooks|core[\\/]esm[\\/](core|utils|components[\\/](Input|InputBase|TextInput|CloseButton))[\\/])/

export default defineConfig({
  plugins: [react()],
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
