/** Lifetime of a file's object URL: some browsers read the file only after the click has ended. */
const ADDRESS_STANDS_MS = 60_000

/** Downloads a file from memory. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_STANDS_MS)
}
