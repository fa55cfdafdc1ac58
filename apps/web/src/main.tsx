import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@fontsource-variable/inter/wght.css'
import './app/tokens.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { shareStyleNonce } from './app/style-nonce.ts'

const root = document.getElementById('root')
shareStyleNonce()

// A screen whose file is gone was replaced by a newer version while this page was open. Once, so that a file that is
// really missing shows its error instead of loading for ever.
window.addEventListener('vite:preloadError', (event) => {
  const reloadedAt = Number(sessionStorage.getItem('prospect-reloaded-at'))
  if (Date.now() - reloadedAt < 60_000) return
  event.preventDefault()
  sessionStorage.setItem('prospect-reloaded-at', String(Date.now()))
  window.location.reload()
})

if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(<App />)
