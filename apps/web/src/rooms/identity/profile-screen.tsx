export function ProfileScreen() {
  return <p>Profile</p>
}
