export function NewBusinessScreen() {
  return <p>New prospect</p>
}
