export function SettingsScreen() {
  return <p>Settings</p>
}
