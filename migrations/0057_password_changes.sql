CREATE TABLE `password_changes` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- A new password where there was none, or one with which sessions were revoked. A weak hash is replaced without a revocation. By
-- hand, because drizzle-kit knows no triggers.
CREATE TRIGGER `password_changes_update` AFTER UPDATE OF password_encrypted ON `users`
WHEN NEW.password_encrypted IS NOT NULL AND NEW.password_encrypted IS NOT OLD.password_encrypted
	AND (OLD.password_encrypted IS NULL OR NEW.revoked_at IS NOT OLD.revoked_at)
BEGIN
	INSERT INTO password_changes (tenant_id, user_id, changed_at)
	VALUES (NEW.tenant_id, NEW.id, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
	ON CONFLICT (tenant_id, user_id) DO UPDATE SET changed_at = excluded.changed_at;
END;
