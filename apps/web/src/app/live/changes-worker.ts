/** The shared worker of all windows of one session, where the browser offers no locks: it holds the one stream. */
import { followChanges, openEventSource, type SourceNews } from './change-source.ts'

const ports = new Set<MessagePort>()
let newest: SourceNews | null = null

const stop = followChanges({
  open: openEventSource,
  cursor: null,
  tell: (news) => {
    newest = news
    for (const port of ports) port.postMessage(news)
  },
})

addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return
  for (const port of event.ports) {
    ports.add(port)
    // A window says when it is closed; a worker without windows ends by itself.
    port.onmessage = () => {
      ports.delete(port)
      if (ports.size > 0) return
      stop()
      close()
    }
    if (newest !== null && newest.type !== 'lost') port.postMessage({ type: 'live', cursor: newest.cursor })
  }
})
