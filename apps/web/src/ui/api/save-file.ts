/** Some browsers read a file only after the click that saves it is over: until then its address has to stand. */
const ADDRESS_STANDS_MS = 60_000

/** Hands a file to the browser to keep. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_STANDS_MS)
}
