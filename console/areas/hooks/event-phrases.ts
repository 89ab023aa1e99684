import { phrases } from '../../phrases.ts'

/** The groups of events, and a sentence about each event (spec/connectors#hook-events). */
export const eventTexts = phrases({
  en: {
    interactions: 'Signing in',
    accounts: 'Accounts',
    credentials: 'Passkeys and second factors',
    access: 'Sessions and access',
    organizations: 'Organizations',
    example: 'Example',
    PostRegister: 'Someone signed up.',
    PostSignIn: 'A user signed in.',
    PostResetPassword: 'A user reset a forgotten password.',
    'User.Created':
      'An account was created, by the user or an operator. Imports send this event only on request.',
    'User.Updated':
      'The profile, an address, the password, custom data or a linked account changed, no matter who changed it.',
    'User.Suspended': 'An operator suspended the user.',
    'User.Reinstated': 'An operator reinstated the user.',
    'User.RolesChanged': 'The user was given roles or lost some. The message lists the roles they have now.',
    'User.DeletionRequested': 'A user asked for their account to be deleted.',
    'User.DeletionCanceled': 'A requested deletion was canceled, so the account stays.',
    'User.Deleted': 'The account was deleted. The message shows it as it was before.',
    'User.PasskeyAdded': 'A passkey was created.',
    'User.PasskeyRenamed': 'A user renamed a passkey.',
    'User.PasskeyRemoved': 'A passkey was removed.',
    'User.FactorAdded': 'An authenticator app was set up, or new backup codes were created.',
    'User.FactorRemoved': 'An authenticator app was removed together with its backup codes.',
    'User.SessionsEnded': 'A user ended one or all of their other sessions.',
    'User.ConsentWithdrawn': 'A user withdrew what they had allowed a third-party application to do.',
    'User.BrowsersForgotten': 'A user removed one or all of their trusted browsers.',
    'Organization.Created': 'An organization was created.',
    'Organization.Updated': 'The name, description, custom data, policy or brand of an organization changed.',
    'Organization.Deleted': 'An organization was deleted. The message shows it as it was before.',
    'Organization.Membership.Updated':
      'Members joined an organization, left it, or got other roles. The message lists them by their IDs.',
  },
  de: {
    interactions: 'Anmeldungen',
    accounts: 'Konten',
    credentials: 'Passkeys und zweite Faktoren',
    access: 'Sitzungen und Zugriff',
    organizations: 'Organisationen',
    example: 'Beispiel',
    PostRegister: 'Jemand hat sich registriert.',
    PostSignIn: 'Ein Benutzer hat sich angemeldet.',
    PostResetPassword: 'Ein Benutzer hat ein vergessenes Passwort zurückgesetzt.',
    'User.Created':
      'Ein Konto wurde erstellt, vom Benutzer oder von einem Betreiber. Importe senden dieses Ereignis nur auf Wunsch.',
    'User.Updated':
      'Profil, Adresse, Passwort, eigene Daten oder ein verknüpftes Konto wurden geändert, egal von wem.',
    'User.Suspended': 'Ein Betreiber hat den Benutzer gesperrt.',
    'User.Reinstated': 'Ein Betreiber hat den Benutzer entsperrt.',
    'User.RolesChanged':
      'Der Benutzer hat Rollen erhalten oder verloren. Die Nachricht enthält die Rollen, die er jetzt hat.',
    'User.DeletionRequested': 'Ein Benutzer hat die Löschung seines Kontos beantragt.',
    'User.DeletionCanceled': 'Eine beantragte Löschung wurde abgebrochen, das Konto bleibt bestehen.',
    'User.Deleted': 'Das Konto wurde gelöscht. Die Nachricht zeigt, wie es vorher war.',
    'User.PasskeyAdded': 'Ein Passkey wurde erstellt.',
    'User.PasskeyRenamed': 'Ein Benutzer hat einen Passkey umbenannt.',
    'User.PasskeyRemoved': 'Ein Passkey wurde entfernt.',
    'User.FactorAdded': 'Eine Authenticator-App wurde eingerichtet, oder neue Backup-Codes wurden erstellt.',
    'User.FactorRemoved': 'Eine Authenticator-App wurde zusammen mit ihren Backup-Codes entfernt.',
    'User.SessionsEnded': 'Ein Benutzer hat eine oder alle seine anderen Sitzungen beendet.',
    'User.ConsentWithdrawn':
      'Ein Benutzer hat widerrufen, was er einer Anwendung eines Drittanbieters erlaubt hatte.',
    'User.BrowsersForgotten': 'Ein Benutzer hat einen oder alle seine vertrauenswürdigen Browser entfernt.',
    'Organization.Created': 'Eine Organisation wurde erstellt.',
    'Organization.Updated':
      'Name, Beschreibung, eigene Daten, Richtlinie oder Marke einer Organisation wurden geändert.',
    'Organization.Deleted': 'Eine Organisation wurde gelöscht. Die Nachricht zeigt, wie sie vorher war.',
    'Organization.Membership.Updated':
      'Mitglieder sind einer Organisation beigetreten, haben sie verlassen oder andere Rollen erhalten. Die Nachricht nennt sie mit ihren IDs.',
  },
})
