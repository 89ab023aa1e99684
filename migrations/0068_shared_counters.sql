ALTER TABLE `counters` ADD `burst_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `counters` ADD `burst_window_start` integer;--> statement-breakpoint
ALTER TABLE `counters` ADD `burst_locked_until` integer;