import { PersonIcon } from '../ui/icons.tsx'

/** The user's picture, or else the initials of the name. It is decorative, because the name is beside it. */
export function Avatar({ avatar, name }: { avatar: string | null; name: string | null }) {
  if (avatar) return <img className="account-avatar" src={avatar} alt="" width={72} height={72} />
  return (
    <span className="account-avatar account-initials" aria-hidden="true">
      {name ? getInitials(name) : <PersonIcon />}
    </span>
  )
}

/** Returns the first character of the first and of the last word. */
function getInitials(name: string): string {
  const words = name.trim().split(/\s+/)
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => Array.from(word)[0])
  return initials.join('').toUpperCase()
}
