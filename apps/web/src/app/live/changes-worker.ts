/** Shared worker that holds the stream for all windows of one session. It is used if the browser has no Web Locks. */
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
    // A window sends a message when it is closed. After the last one the worker ends.
    port.onmessage = () => {
      ports.delete(port)
      if (ports.size > 0) return
      stop()
      close()
    }
    if (newest !== null && newest.type !== 'lost') port.postMessage({ type: 'live', cursor: newest.cursor })
  }
})
