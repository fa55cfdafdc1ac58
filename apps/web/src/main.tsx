import './app/styles.ts'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { pasteOnOneLine } from './app/paste-on-one-line.ts'
import { shareStyleNonce } from './app/style-nonce.ts'
import { configureApiClient } from './ui/api/client.ts'

const root = document.getElementById('root')
shareStyleNonce()
configureApiClient()
document.addEventListener('paste', pasteOnOneLine)

if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(<App />)
