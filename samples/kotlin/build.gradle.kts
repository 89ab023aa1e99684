android {
    defaultConfig {
        manifestPlaceholders["appAuthRedirectScheme"] = "com.example.app"
    }
}
dependencies {
    implementation("net.openid:appauth:0.11.1")
}
