import { phrases } from '../../phrases.ts'

export const addressTexts = phrases({
  en: {
    title: 'Addresses',
    redirectUris: 'Redirect URIs',
    redirectUrisHint: 'One per line. A sign-in returns to one of these addresses, compared letter by letter.',
    postLogoutRedirectUris: 'Addresses after signing out',
    postLogoutRedirectUrisHint: 'One per line. Where users may return to after they have signed out.',
    more: 'More addresses',
    corsAllowedOrigins: 'Further origins (CORS)',
    corsAllowedOriginsHint:
      'Whose scripts may ask for tokens. Those of the redirect URIs may do so without an entry.',
    initiateLoginUri: 'Address where a sign-in begins',
    initiateLoginUriHint:
      'Users who cannot go on are sent there, and “Try it now” opens it. Begins with https:.',
    backchannelLogoutUri: 'Address that is told of sign-outs',
    backchannelLogoutUriHint: 'Called by the server when a user signs out elsewhere (back-channel logout).',
  },
  de: {
    title: 'Adressen',
    redirectUris: 'Redirect-URIs',
    redirectUrisHint:
      'Eine pro Zeile. Eine Anmeldung kehrt zu einer dieser Adressen zurück, Zeichen für Zeichen verglichen.',
    postLogoutRedirectUris: 'Adressen nach dem Abmelden',
    postLogoutRedirectUrisHint: 'Eine pro Zeile. Dorthin dürfen Benutzer nach dem Abmelden zurückkehren.',
    more: 'Weitere Adressen',
    corsAllowedOrigins: 'Weitere Origins (CORS)',
    corsAllowedOriginsHint:
      'Ihre Skripte dürfen Tokens anfordern. Die Origins der Redirect-URIs dürfen es ohne Eintrag.',
    initiateLoginUri: 'Adresse, unter der eine Anmeldung beginnt',
    initiateLoginUriHint:
      'Dorthin gelangen Benutzer, die nicht weiterkommen, und „Jetzt ausprobieren“ öffnet sie. Beginnt mit https:.',
    backchannelLogoutUri: 'Adresse, die von Abmeldungen erfährt',
    backchannelLogoutUriHint:
      'Wird vom Server aufgerufen, wenn sich ein Benutzer anderswo abmeldet (Back-Channel-Logout).',
  },
})

export const tokenTexts = phrases({
  en: {
    title: 'Tokens',
    lead: 'How long they last, how they are signed and what they say',
    idTokenTtl: 'ID tokens last (seconds)',
    idTokenTtlHint: 'Empty: as usual. At most 1,209,600 (14 days).',
    refreshTokenTtl: 'Refresh tokens last (seconds)',
    refreshTokenTtlHint: 'Empty: as usual. At most 1,209,600 (14 days).',
    idTokenSignedResponseAlg: 'Signature of ID tokens',
    idTokenClaims: 'Claims of ID tokens',
    idTokenClaimsHint:
      'Fewer claims keep personal data out of tokens that are logged; userinfo has them all.',
    claims_all: 'Those of the granted scopes',
    claims_minimal: 'Only those that a request names',
  },
  de: {
    title: 'Tokens',
    lead: 'Wie lange sie gelten, wie sie signiert sind und was darin steht',
    idTokenTtl: 'Gültigkeit von ID-Tokens (Sekunden)',
    idTokenTtlHint: 'Leer: wie üblich. Höchstens 1.209.600 (14 Tage).',
    refreshTokenTtl: 'Gültigkeit von Refresh-Tokens (Sekunden)',
    refreshTokenTtlHint: 'Leer: wie üblich. Höchstens 1.209.600 (14 Tage).',
    idTokenSignedResponseAlg: 'Signatur von ID-Tokens',
    idTokenClaims: 'Claims in ID-Tokens',
    idTokenClaimsHint:
      'Weniger Claims halten persönliche Daten aus Tokens heraus, die protokolliert werden; userinfo hat alle.',
    claims_all: 'Alle der gewährten Scopes',
    claims_minimal: 'Nur die, die eine Anfrage nennt',
  },
})

export const securityTexts = phrases({
  en: {
    lead: 'Consent of users, bound tokens, FAPI 2.0, devices',
    isThirdParty: 'Belongs to a third party',
    isThirdPartyHint:
      'Users are asked before it gets their data. Tokens that it got without being asked about end.',
    deviceFlow: 'Signs users in on devices without a browser',
    deviceFlowHint: 'The device shows a code, which users enter on their phone.',
    dpopBoundAccessTokens: 'Tokens are bound to a key (DPoP)',
    dpopBoundAccessTokensHint:
      'A stolen token is worth nothing. The library of the application must support it.',
    fapi2: 'Keeps FAPI 2.0',
    fapi2Hint: 'The profile of banks: pushed requests, keys in place of a secret, bound tokens.',
    backchannelLogoutSessionRequired: 'Sign-outs name the session',
    backchannelLogoutSessionRequiredHint: 'The application is told which session has ended (sid).',
  },
  de: {
    lead: 'Einwilligung der Benutzer, gebundene Tokens, FAPI 2.0, Geräte',
    isThirdParty: 'Gehört einem Dritten',
    isThirdPartyHint:
      'Benutzer werden gefragt, bevor die Anwendung ihre Daten erhält. Tokens, die sie ohne diese Frage erhalten hat, enden.',
    deviceFlow: 'Meldet Benutzer auf Geräten ohne Browser an',
    deviceFlowHint: 'Das Gerät zeigt einen Code, den Benutzer am Telefon eingeben.',
    dpopBoundAccessTokens: 'Tokens sind an einen Schlüssel gebunden (DPoP)',
    dpopBoundAccessTokensHint:
      'Ein gestohlenes Token ist wertlos. Die Bibliothek der Anwendung muss das unterstützen.',
    fapi2: 'Hält FAPI 2.0 ein',
    fapi2Hint:
      'Das Profil für Banken: vorab übermittelte Anfragen, Schlüssel statt Secret, gebundene Tokens.',
    backchannelLogoutSessionRequired: 'Abmeldungen nennen die Sitzung',
    backchannelLogoutSessionRequiredHint: 'Die Anwendung erfährt, welche Sitzung beendet ist (sid).',
  },
})

export const keyTexts = phrases({
  en: {
    title: 'Authentication',
    lead: 'With a secret, or with keys of the application',
    way: 'The application authenticates with',
    secret: 'its secret',
    secretHint: 'Sent with every request for tokens.',
    value: 'keys that you enter here',
    valueHint:
      'Assertions are signed with the private key, which never leaves the application (private_key_jwt).',
    address: 'keys at an address',
    addressHint: 'The application publishes its public keys, and changes them without a call of yours.',
    jwks: 'Public keys (JWK Set)',
    jwksHint: 'JSON with “keys”. Public keys alone: a private one is refused.',
    jwksUri: 'Address of the keys',
    notKeys: 'This is not JSON with a list “keys”.',
  },
  de: {
    title: 'Authentifizierung',
    lead: 'Mit einem Secret oder mit Schlüsseln der Anwendung',
    way: 'Die Anwendung authentifiziert sich mit',
    secret: 'ihrem Secret',
    secretHint: 'Es wird mit jeder Anfrage nach Tokens gesendet.',
    value: 'Schlüsseln, die Sie hier eingeben',
    valueHint:
      'Assertions werden mit dem privaten Schlüssel signiert, der die Anwendung nie verlässt (private_key_jwt).',
    address: 'Schlüsseln unter einer Adresse',
    addressHint: 'Die Anwendung veröffentlicht ihre öffentlichen Schlüssel und wechselt sie ohne Ihr Zutun.',
    jwks: 'Öffentliche Schlüssel (JWK Set)',
    jwksHint: 'JSON mit „keys“. Nur öffentliche Schlüssel: Ein privater wird abgelehnt.',
    jwksUri: 'Adresse der Schlüssel',
    notKeys: 'Das ist kein JSON mit einer Liste „keys“.',
  },
})

export const accessTexts = phrases({
  en: {
    allowedBuiltInResources: 'Access to APIs',
    lead: 'For which APIs it may get tokens; roles decide what is in them',
    all: 'Every API of this tenant',
    allHint: 'Otherwise those alone that you list.',
    allowedResources: 'APIs',
    allowedResourcesHint: 'Their identifiers, one per line.',
    'urn:vestibule:management-api': 'Management API, for administrators who sign in to it',
    'urn:vestibule:services': 'Services, for users who sign in to it',
    builtInHint:
      'Needs a sign-in of the last hour. Not for applications of third parties. Only owners change it.',
    isAdmin: 'Administers this tenant',
    isAdminHint: 'May do everything in the management API. Only owners change it.',
    exchange: 'Act for users (token exchange)',
    exchangeLead:
      'Whose tokens the application may exchange for tokens of its own, and for which APIs (RFC 8693).',
    tokenExchangeClients: 'Applications whose tokens it takes',
    tokenExchangeClientsHint: 'Their client IDs, one per line.',
    tokenExchangeResources: 'APIs that it gets tokens for',
    tokenExchangeResourcesHint: 'Their identifiers, one per line.',
    tokenExchangeScopes: 'Scopes that it may get',
    tokenExchangeScopesHint: 'One per line. Empty: all that the user has.',
  },
  de: {
    allowedBuiltInResources: 'Zugriff auf APIs',
    lead: 'Für welche APIs sie Tokens erhält; was darin steht, entscheiden Rollen',
    all: 'Jede API dieses Mandanten',
    allHint: 'Sonst nur die, die Sie auflisten.',
    allowedResources: 'APIs',
    allowedResourcesHint: 'Ihre Bezeichner, einer pro Zeile.',
    'urn:vestibule:management-api': 'Management-API, für Administratoren, die sich dort anmelden',
    'urn:vestibule:services': 'Dienste, für Benutzer, die sich dort anmelden',
    builtInHint:
      'Braucht eine Anmeldung der letzten Stunde. Nicht für Anwendungen von Dritten. Nur Inhaber ändern es.',
    isAdmin: 'Verwaltet diesen Mandanten',
    isAdminHint: 'Darf in der Management-API alles. Nur Inhaber ändern es.',
    exchange: 'Für Benutzer handeln (Token Exchange)',
    exchangeLead: 'Wessen Tokens die Anwendung gegen eigene tauschen darf und für welche APIs (RFC 8693).',
    tokenExchangeClients: 'Anwendungen, deren Tokens sie annimmt',
    tokenExchangeClientsHint: 'Ihre Client-IDs, eine pro Zeile.',
    tokenExchangeResources: 'APIs, für die sie Tokens erhält',
    tokenExchangeResourcesHint: 'Ihre Bezeichner, einer pro Zeile.',
    tokenExchangeScopes: 'Scopes, die sie erhalten kann',
    tokenExchangeScopesHint: 'Einer pro Zeile. Leer: alle, die der Benutzer hat.',
  },
})
