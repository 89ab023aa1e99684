export const load = ({ locals: { user } }) => ({ name: user && (user.preferred_username ?? user.name ?? user.sub) })
