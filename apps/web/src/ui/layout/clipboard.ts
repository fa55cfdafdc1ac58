/**
 * Puts a text on the clipboard, also one that is still being read from the server. Call it in the handler of a press: browsers accept a write only
 * while they handle the press, so the write begins at once and receives the text later. Returns false if the browser refuses: over plain HTTP,
 * without permission, or if the page lost the focus. The caller then shows the text for copying by hand. Rejects if the text cannot be read.
 */
export async function putOnClipboard(text: string | Promise<string>): Promise<boolean> {
  // Over plain HTTP there is no clipboard, against its type.
  if (!('clipboard' in navigator)) {
    await text
    return false
  }
  if (typeof text === 'string') return written(() => navigator.clipboard.writeText(text))
  const begun = written(() => {
    const blob = text.then((value) => new Blob([value], { type: 'text/plain' }))
    // The browser may refuse before it asks for the text.
    blob.catch(() => {})
    return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  })
  const value = await text
  // Older browsers have no ClipboardItem, or none that waits; they may accept a text shortly after the press.
  return (await begun) || written(() => navigator.clipboard.writeText(value))
}

async function written(write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch {
    return false
  }
}
