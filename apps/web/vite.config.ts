import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8000'

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
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: apiUrl, xfwd: true } },
  },
})
